"""The page Replay: any moment of a run, what changed, forks, files."""
