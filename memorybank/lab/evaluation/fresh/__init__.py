"""Fresh prose: texts written for judging the rules by somebody who had not read them, with what they state."""
