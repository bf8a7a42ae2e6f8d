"""Workspaces made up from a seed, with the truth beside them, at any size.

A small world runs day by day: people move, change work and tools, meet, and change their minds.
Each event becomes a line of that day's log, and the world knows which lines answer which question.
The text is plain and repeats itself: it measures speed, size and the handling of change, not how
well a system reads what people write.

>>> import tempfile
>>> from memlab import synth
>>> with tempfile.TemporaryDirectory() as folder:
...     truth = synth.generate(f"{folder}/small", facts=200, seed=1)
...     truth.facts
200
"""

from memlab.synth.generate import generate
from memlab.synth.world import Change, Event, World
from memlab.synth.writer import Truth

__all__ = ["Change", "Event", "Truth", "World", "generate"]
