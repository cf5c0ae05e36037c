import CTerminal
import TextLayout

/// Pictures in the pixels of the terminal.
extension Terminal {
  /// The size of a cell in pixels, if the terminal draws pictures in pixels.
  package var pictureCell: CellSize? {
    guard kitty != nil || overlaid != nil else { return nil }
    return knownCell ?? answeredCell ?? CellSize(width: 10, height: 20)
  }

  /// The size of a cell as the system knows it.
  private var knownCell: CellSize? {
    var (width, height): (Int32, Int32) = (0, 0)
    if daybook_cell_size(output, &width, &height) == 0,
      let cell = CellSize(width: Int(width), height: Int(height))
    {
      return cell
    }
    return nil
  }

  /// Draws pictures over cells, where the terminal has no better way: as files, or by sixels if the size of
  /// its cells is known, since it would not scale them.
  func beginOverlaying() {
    guard mayDrawPixels, kitty == nil, overlaid == nil else { return }
    if features.has(.files) {
      overlaid = OverlaidPictures(.file)
    } else if features.has(.sixel), knownCell ?? answeredCell != nil {
      overlaid = OverlaidPictures(.sixel(colors: answeredColors ?? 256))
    }
    guardPictures()
  }

  /// Sends pictures of the last frame that the terminal does not have; a pending key interrupts it after
  /// some thousand bytes, until the next call.
  ///
  /// - Returns: whether a picture is there now, so that the frame must be presented again.
  package func sendPictures(unless isInputWaiting: () -> Bool) -> Bool {
    guard isEntered, !hasEnded, !isReleased, shown != nil else { return false }
    while !isInputWaiting(), let bytes = overlaid?.next() { write(bytes) }
    while kitty?.isSending == true, !isInputWaiting() {
      guard let room = kitty?.begin() else { break }
      guardPictures()
      write(room)
      var isDone = false
      while !isDone, !isInputWaiting() {
        guard let piece = kitty?.piece(), !piece.bytes.isEmpty else { return false }
        write(piece.bytes)
        isDone = piece.isLast
      }
      if isDone { return true }
    }
    return false
  }

  /// Deletes all pictures from the terminal before its screen is cleared or left, with which those over cells go.
  func deletePictures() {
    overlaid?.forget()
    deleteImages()
  }

  /// Deletes the pictures that the terminal keeps, such as those of a journal that is locked now.
  package func deleteImages() {
    guard isEntered, let bytes = kitty?.deleting, !bytes.isEmpty else { return }
    write(bytes)
    kitty?.forget()
    guardPictures()
  }
}
