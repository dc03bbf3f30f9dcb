"""What is typed into a field of the page, told to Python at each pause; whether it was saved is said on the screen."""
