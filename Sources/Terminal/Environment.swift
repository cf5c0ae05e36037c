import Glibc

/// Runs a function while environment variables have other values, and restores them.
///
/// Not safe among threads, as `setenv` is not: none may read the environment meanwhile.
func withEnvironment<Result>(_ values: [String: String], _ body: () -> Result) -> Result {
  let before = values.keys.map { name in (name, getenv(name).map { String(cString: $0) }) }
  for (name, value) in values { setenv(name, value, 1) }
  defer {
    for (name, value) in before {
      if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
  }
  return body()
}
