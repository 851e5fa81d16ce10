"""Content of this site for other sites, newspapers and messages: embeds, oEmbed, link previews, press
texts."""
