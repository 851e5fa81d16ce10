"""What other sites, papers and messages take of us: embeds, oEmbed, link previews, press texts."""
