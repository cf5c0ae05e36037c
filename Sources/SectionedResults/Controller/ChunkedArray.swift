/// An array in chunks, each shared between copies until it is changed.
///
/// Two states of a tree mostly differ in one place. Copying an array of thousands of elements for
/// that, each with references to be counted, would cost more than all else that a commit does. Here a
/// change costs one chunk and a list of chunks; a look-up costs O(log chunks).
struct ChunkedArray<Element> {
  /// A chunk longer than this is cut in two, in elements.
  private static var mostInChunk: Int { 128 }

  /// None of them is empty.
  private var chunks: [[Element]] = []
  /// The index of each chunk's first element; empty while there is one chunk at most.
  private var starts: [Int] = []
  private(set) var count = 0

  init() {}

  /// The chunk and the place in it of an index.
  private func place(of index: Int) -> (chunk: Int, offset: Int) {
    guard !starts.isEmpty else { return (0, index) }
    let chunk = partitionPoint(starts.count) { starts[$0] <= index } - 1
    return (chunk, index - starts[chunk])
  }

  /// Sums up a weight of the elements: before each of them, and the total at the end.
  func runningTotals(_ weight: (Element) -> Int) -> [Int] {
    var totals: [Int] = []
    totals.reserveCapacity(count + 1)
    var total = 0
    for chunk in chunks {
      for index in chunk.indices {
        totals.append(total)
        total += weight(chunk[index])
      }
    }
    totals.append(total)
    return totals
  }

  /// The sum of a weight of the elements before an index.
  func total(before end: Int, _ weight: (Element) -> Int) -> Int {
    var total = 0
    var left = end
    for chunk in chunks where left > 0 {
      for index in 0..<Swift.min(left, chunk.count) { total += weight(chunk[index]) }
      left -= chunk.count
    }
    return total
  }
}

extension ChunkedArray: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    get {
      let place = place(of: index)
      return chunks[place.chunk][place.offset]
    }
    _modify {
      let place = place(of: index)
      yield &chunks[place.chunk][place.offset]
    }
  }

  /// Goes through chunk after chunk, without looking up each index.
  func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { chunks.joined().makeIterator() }
}

// MARK: - Changing

extension ChunkedArray {
  init(_ elements: [Element]) {
    for element in elements { append(element) }
  }

  /// Adds an element at the end; chunks are filled, since a fetch adds one after the other.
  mutating func append(_ element: Element) {
    if chunks.isEmpty || chunks[chunks.count - 1].count == Self.mostInChunk {
      if chunks.count == 1 { starts = [0] }
      if !chunks.isEmpty { starts.append(count) }
      chunks.append([element])
    } else {
      chunks[chunks.count - 1].append(element)
    }
    count += 1
  }

  /// Puts an element before the one with an index, or at the end.
  mutating func insert(_ element: Element, at index: Int) {
    guard index < count else { return append(element) }
    let place = place(of: index)
    chunks[place.chunk].insert(element, at: place.offset)
    settle(place.chunk, growth: 1)
  }

  /// Takes an element out.
  mutating func remove(at index: Int) {
    let place = place(of: index)
    chunks[place.chunk].remove(at: place.offset)
    settle(place.chunk, growth: -1)
  }

  /// Puts elements in the place of one.
  mutating func replace(at index: Int, with elements: [Element]) {
    let place = place(of: index)
    chunks[place.chunk].replaceSubrange(place.offset...place.offset, with: elements)
    settle(place.chunk, growth: elements.count - 1)
  }

  /// Brings a chunk to a good size after a change, and the starts up to date.
  private mutating func settle(_ chunk: Int, growth: Int) {
    count += growth
    let elements = chunks[chunk]
    if elements.isEmpty {
      chunks.remove(at: chunk)
    } else if elements.count > Self.mostInChunk {
      let middle = elements.count / 2
      chunks.replaceSubrange(
        chunk...chunk, with: [Array(elements[..<middle]), Array(elements[middle...])])
    }
    starts.removeAll(keepingCapacity: true)
    guard chunks.count > 1 else { return }
    var start = 0
    for chunk in chunks {
      starts.append(start)
      start += chunk.count
    }
  }
}
