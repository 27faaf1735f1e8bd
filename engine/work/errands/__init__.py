"""What workers do for the studio, one function per errand. Asked for by name (engine.work.records)."""
