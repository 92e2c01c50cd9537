"""Proving a run: everything in its directory worked out again, and compared with what is there.

The rules are not written here a second time: the kernel plays the logged acts again (see
`put_cli.engine.scripted`), the log's own columns are made of what comes out, and the two logs are
laid side by side. The scalar referee gives a second opinion on a sample.
"""
