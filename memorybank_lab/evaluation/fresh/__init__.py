"""Fresh prose: texts written for judging the engine by somebody who had not read it, with what they state."""
