"""The Export dialog: where a take goes, how, and what arrives there."""
