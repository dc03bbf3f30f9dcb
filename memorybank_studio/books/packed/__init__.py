"""DOCX and EPUB as text: zip archives from anyone, read in a process of their own."""
