"""An answer as what it says: its values or key sentences, each with its sources and how far it was checked."""
