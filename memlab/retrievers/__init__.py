"""Retrieval strategies, one a file, behind the protocol of `memlab.retrievers.base`."""
