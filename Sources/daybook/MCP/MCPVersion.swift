/// A version of the Model Context Protocol, by the date of its specification.
enum MCPVersion: String, CaseIterable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"

  /// The version of a session: the requested one, or the latest if that is unknown.
  init(requested: String) { self = MCPVersion(rawValue: requested) ?? .november2025 }

  /// Whether several messages may come in one array: JSON-RPC has them, MCP had them until 2025-06-18.
  var hasBatches: Bool { self == .november2024 || self == .march2025 }

  /// Whether tools say what they do to the journal.
  var hasAnnotations: Bool { self != .november2024 }

  /// Whether results are also objects of a described form, and tools have titles.
  var hasStructuredResults: Bool { self == .june2025 || self == .november2025 }

  /// Whether wrong arguments of a tool are a result that the model sees, not an error of the protocol.
  var reportsArgumentsAsResult: Bool { self == .november2025 }
}
