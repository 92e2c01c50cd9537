"""Results as people read them: text, Markdown and CSV. Functions here return strings."""
