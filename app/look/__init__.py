"""How the studio looks: colours, sizes, fonts and icons from one table of tokens (assets/look.json)."""
