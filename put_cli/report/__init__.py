"""Results as people read them: text, Markdown and CSV, and a page with pictures.

Functions here return strings; pictures alone are files.
"""
