"""Ways to order a run anew, one a file, behind the protocol of `memlab.rerank.base`."""
