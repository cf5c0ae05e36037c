import TerminalUI

/// The themes as `daybook config themes` prints them: the name, a line in its colours, and what it is
/// good for.
struct ThemeListing {
  private let configuration: Configuration
  private let ink: Ink

  /// Makes a listing with samples where the ink has colours.
  init(_ configuration: Configuration, _ ink: Ink) {
    self.configuration = configuration
    self.ink = ink
  }

  /// A line a theme; the one in use has a star.
  var text: String {
    let names = configuration.themes.names
    let widest = names.map { TextWidth.columns(of: $0) }.max() ?? 0
    return names.map { name in
      let safe = Sanitizing.line(name)
      let padding = String(repeating: " ", count: max(0, widest - TextWidth.columns(of: safe)))
      let mark = name == configuration.settings.theme ? "*" : " "
      return "\(mark) \(safe)\(padding)  \(sample(name))"
    }.joined(separator: "\n")
  }

  /// A list of objects with `name`, `about` and `problem`.
  var json: String {
    JSONLine.list(
      configuration.themes.names.map { name in
        do throws(ThemeLibrary.Missing) {
          let theme = try configuration.themes.theme(named: name)
          return JSONLine.object([("name", name), ("about", theme.about), ("problem", nil)])
        } catch {
          return JSONLine.object([("name", name), ("about", nil), ("problem", error.message)])
        }
      })
  }

  private func sample(_ name: String) -> String {
    do {
      let theme = try configuration.themes.theme(named: name)
      let sample = ink.with(theme).sample
      return ([sample].filter { !$0.isEmpty } + [Sanitizing.line(theme.about)])
        .joined(separator: "  ")
    } catch {
      return Sanitizing.line(error.message)
    }
  }
}

extension Ink {
  /// The same amount of colours with another theme.
  func with(_ theme: Theme) -> Ink { Ink(theme: theme, profile: profile) }

  /// A line with the roles that are seen most; empty where there is nothing to be shown.
  fileprivate var sample: String {
    guard profile > .none else { return "" }
    let parts: [(String, Style.Role)] = [
      (" Today ", .header), ("09:15 ", .time), ("★ ", .star), ("Bought bread ", .normal),
      ("#home ", .tag), (" selected ", .selected), (" found ", .match), (" status ", .status),
    ]
    return parts.map { paint($0.0, $0.1) }.joined()
  }
}
