"""The Markdown side: where a workspace is, which pages it has, and which facts stand on them."""
