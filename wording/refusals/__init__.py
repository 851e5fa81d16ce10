"""What each refusal says, by its code: fact first, then what to do. One module a subject."""
