"""The commands of the lab, a module each; they are loaded only when they run."""
