"""**Show here**: what somebody sees privately, posted for everybody."""
