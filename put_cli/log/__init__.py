"""What a run leaves behind: schemas, parts, manifest, and how to read them back."""
