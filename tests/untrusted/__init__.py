"""Files that come from a stranger: read in bounds, shown harmlessly, refused in a sentence."""
