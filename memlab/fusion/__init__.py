"""Ways to make one run of several, one a file, behind the protocol of `memlab.fusion.base`."""
