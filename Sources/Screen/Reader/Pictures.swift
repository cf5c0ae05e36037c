import TextLayout

/// The room that the pane has for a picture.
package struct PictureRoom: Equatable, Sendable {
  /// The most rows.
  package var rows: Int
  /// The hashes of the pictures that cannot be drawn.
  package var undrawable: Set<String>
  /// The size of a cell, where the terminal draws pixels.
  package var cell: CellSize?

  package init(rows: Int, undrawable: Set<String> = [], cell: CellSize? = nil) {
    (self.rows, self.undrawable, self.cell) = (rows, undrawable, cell)
  }

  /// The picture, unless it cannot be drawn.
  func drawn(_ picture: ShownPicture?) -> ShownPicture? {
    picture.flatMap { undrawable.contains($0.hash) ? nil : $0 }
  }
}

/// The pixels of the pictures in the pane.
///
/// An entry has the sizes of its pictures, so that their rows are there from its first frame; the pixels are
/// decoded later by another process. They are kept for a while, so that a picture that was shown before is
/// there at once.
package final class Pictures {
  /// A picture, and the cells that it takes.
  package struct Key: Hashable, Codable, Sendable {
    /// The hash of its file.
    package var hash: String
    package var box: PictureBox

    package init(hash: String, box: PictureBox) { (self.hash, self.box) = (hash, box) }
  }

  /// The most bytes that are kept: some pictures in pixels as large as a screen, hundreds of half blocks.
  package static let mostBytes = 24 << 20

  private var known: [Key: PicturePixels] = [:]
  /// The keys of the known ones, the one that was drawn last at the end.
  private var order: [Key] = []
  private var bytes = 0
  /// The pictures that the last frame lacked, from its top.
  package private(set) var missing: [Key] = []

  package init() {}

  /// Begins a new frame.
  func begin() { missing = [] }

  /// The pixels of a picture; `nil` if they are not there yet.
  func pixels(_ key: Key) -> PicturePixels? {
    guard let found = known[key] else {
      if missing.last != key, !missing.contains(key) { missing.append(key) }
      return nil
    }
    if order.last != key, let place = order.firstIndex(of: key) {
      order.append(order.remove(at: place))
    }
    return found
  }

  /// Takes the pixels of a picture; those that were drawn longest ago make room.
  package func take(_ pixels: PicturePixels, for key: Key) {
    missing.removeAll { $0 == key }
    if let old = known.updateValue(pixels, forKey: key) {
      bytes -= old.bytes.count
      order.removeAll { $0 == key }
    }
    order.append(key)
    bytes += pixels.bytes.count
    while bytes > Self.mostBytes, order.count > 1 {
      bytes -= known.removeValue(forKey: order.removeFirst())?.bytes.count ?? 0
    }
  }
}

extension State {
  /// The room for a picture: two thirds of the pane's height; `nil` where pictures are named.
  ///
  /// A prompt below the pane does not change it, so that no picture changes its size while one types.
  var pictureRoom: PictureRoom? {
    guard environment.drawsPictures, !environment.isLinear, settings.pictures != .names else {
      return nil
    }
    return PictureRoom(
      rows: max(1, paneHeight * 2 / 3), undrawable: pane.undrawable,
      cell: settings.pictures == .blocks ? nil : environment.pictureCell)
  }
}
