"""Serializers of responses. Class names are schema names."""
