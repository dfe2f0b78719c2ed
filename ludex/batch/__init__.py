"""Many matches at once, on all cores or on a graphics card."""
