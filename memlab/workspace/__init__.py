"""The Markdown side: where a workspace is, which pages it has, and which facts stand on them."""

VERSION = 4
"""Raised whenever the facts of some page change, so that old snapshots are not used."""
