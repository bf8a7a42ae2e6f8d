"""Opinions: what supports or contradicts a statement, and how that moves the confidence in it."""

from memlab.opinions.base import Detector, Event, Label, Stance, Updater
from memlab.opinions.fold import Step, Trajectory, distinct, fold

__all__ = [
    "Detector", "Event", "Label", "Stance", "Step", "Trajectory", "Updater", "distinct", "fold",
]  # fmt: skip
