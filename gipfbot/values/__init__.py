"""Plain values that the store, the services and the interface share: what is stored, as they see it."""
