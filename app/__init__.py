"""The studio: the window in which an ending is composed. Qt lives here and nowhere else."""
