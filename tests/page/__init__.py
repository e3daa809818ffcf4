"""The demo's page, in Chromium. A package, so that what is started lives as long as its tests."""
