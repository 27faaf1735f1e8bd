"""Many takes of one scene, in this process, in others or on a farm."""
