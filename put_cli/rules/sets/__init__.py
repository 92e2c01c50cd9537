"""The rule sets that ship with the program, one TOML file each; keys are the fields of RuleSet."""
