import Glibc

/// The fault that this process has: `mutants.sh` adds this file to each Swift module of its copy.
private let active = getenv("DAYBOOK_MUTANT").map { String(cString: $0) }

/// Whether this process has a fault of this name.
func mutant(_ name: String) -> Bool { active == name }
