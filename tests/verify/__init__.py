"""put verify: what is sound passes, and whatever is changed is found and named."""
