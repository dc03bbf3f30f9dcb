"""A person, or another program, in the place of a language model: requests and answers are files in a folder.

    001.analysis.request.md      the request as a reader sees it, with its schema and how to answer
    001.analysis.request.json    the same for a program
    001.analysis.image-1.png     an image that the request shows
    001.analysis.answer.json     the answer (or .md, .txt), written by whoever answers

`folder` keeps the files and writes what a reader sees, `chat` is the chat model that waits.
"""
