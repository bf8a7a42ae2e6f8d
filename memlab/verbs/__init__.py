"""What one does with a memory: recall, retain, reflect, show, status, doctor."""
