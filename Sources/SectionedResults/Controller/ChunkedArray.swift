// SPDX-License-Identifier: MIT

/// An array in copy-on-write chunks with weighted elements.
///
/// Two states of a tree usually differ in one element. Copying an array of thousands of elements,
/// each with references to count, would cost more than the rest of a commit. Here a change copies
/// one chunk and the list of chunks. A look-up costs O(log chunks). The weight before an element,
/// and the element at a weight, cost O(chunks + chunk length).
struct ChunkedArray<Element: Weighted> {
  /// The maximum length of a chunk, in elements; longer ones are split.
  private static var mostInChunk: Int { 128 }

  /// Adjacent elements, never empty, and the sum of their weights.
  fileprivate struct Chunk {
    var elements: [Element]
    var weight: Int

    init(_ elements: [Element]) {
      self.elements = elements
      weight = elements.reduce(0) { $0 + $1.weight }
    }
  }

  private var chunks: [Chunk] = []
  /// The index of each chunk's first element; empty while there is at most one chunk.
  private var starts: [Int] = []
  private(set) var count = 0

  init() {}

  /// The chunk of an index, and the offset in it.
  private func place(of index: Int) -> (chunk: Int, offset: Int) {
    guard !starts.isEmpty else { return (0, index) }
    let chunk = partitionPoint(starts.count) { starts[$0] <= index } - 1
    return (chunk, index - starts[chunk])
  }
}

// MARK: - Weighing

extension ChunkedArray {
  /// The weight before each element, followed by the total.
  func runningTotals() -> [Int] {
    var totals: [Int] = []
    totals.reserveCapacity(count + 1)
    var total = 0
    for chunk in chunks {
      // An array would copy each element to ask it, with all its references.
      chunk.elements.withUnsafeBufferPointer { elements in
        for index in elements.indices {
          totals.append(total)
          total += elements[index].weight
        }
      }
    }
    totals.append(total)
    return totals
  }

  /// The total weight of all elements before an index.
  func total(before end: Int) -> Int {
    guard end > 0 else { return 0 }
    let last = place(of: end - 1)
    var total = 0
    for chunk in 0..<last.chunk { total += chunks[chunk].weight }
    return chunks[last.chunk].elements.withUnsafeBufferPointer { elements in
      (0...last.offset).reduce(total) { $0 + elements[$1].weight }
    }
  }

  /// The element that covers a position in the sum of all weights, and the offset in that element.
  func element(at place: Int) -> (index: Int, rest: Int)? {
    var (index, rest) = (0, place)
    for chunk in chunks {
      guard rest >= chunk.weight else {
        for offset in chunk.elements.indices {
          let weight = chunk.elements[offset].weight
          if rest < weight { return (index + offset, rest) }
          rest -= weight
        }
        return nil
      }
      index += chunk.elements.count
      rest -= chunk.weight
    }
    return nil
  }
}

extension ChunkedArray: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    // Not `get`: a search looks at one property, and a copy of the element would cost far more.
    _read {
      let place = place(of: index)
      yield chunks[place.chunk].elements[place.offset]
    }
    _modify {
      let place = place(of: index)
      let weight = chunks[place.chunk].elements[place.offset].weight
      defer {
        chunks[place.chunk].weight += chunks[place.chunk].elements[place.offset].weight - weight
      }
      yield &chunks[place.chunk].elements[place.offset]
    }
  }

  /// Iterates chunk by chunk, without a look-up per index.
  struct Iterator: IteratorProtocol {
    fileprivate let chunks: [Chunk]
    private var chunk = 0
    private var offset = 0

    fileprivate init(_ chunks: [Chunk]) {
      self.chunks = chunks
    }

    mutating func next() -> Element? {
      guard chunk < chunks.count else { return nil }
      let element = chunks[chunk].elements[offset]
      offset += 1
      if offset == chunks[chunk].elements.count { (chunk, offset) = (chunk + 1, 0) }
      return element
    }
  }

  func makeIterator() -> Iterator { Iterator(chunks) }

  /// Maps the elements in a range, chunk by chunk: `map` of a slice calls generic accessors of the
  /// collection for each element.
  func map<Value>(in range: Range<Int>, _ transform: (Element) -> Value) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(range.count)
    var start = 0
    for chunk in chunks {
      let elements = chunk.elements
      let shown = range.clamped(to: start..<start + elements.count)
      for index in shown { values.append(transform(elements[index - start])) }
      start += elements.count
    }
    return values
  }

  /// Iterates over the chunks directly: the standard implementation calls an iterator per element.
  func contains(where matches: (Element) -> Bool) -> Bool {
    for chunk in chunks {
      let elements = chunk.elements
      for index in elements.indices where matches(elements[index]) { return true }
    }
    return false
  }
}

// MARK: - Changing

extension ChunkedArray {
  init(_ elements: [Element]) {
    guard elements.isEmpty || elements.count > Self.mostInChunk else {
      (chunks, count) = ([Chunk(elements)], elements.count)
      return
    }
    for element in elements { append(element) }
  }

  /// Appends an element; chunks are filled completely, since a fetch appends one after the other.
  mutating func append(_ element: Element) {
    if chunks.isEmpty || chunks[chunks.count - 1].elements.count == Self.mostInChunk {
      if chunks.count == 1 { starts = [0] }
      if !chunks.isEmpty { starts.append(count) }
      chunks.append(Chunk([element]))
    } else {
      chunks[chunks.count - 1].elements.append(element)
      chunks[chunks.count - 1].weight += element.weight
    }
    count += 1
  }

  mutating func insert(_ element: Element, at index: Int) {
    guard index < count else { return append(element) }
    let place = place(of: index)
    chunks[place.chunk].elements.insert(element, at: place.offset)
    chunks[place.chunk].weight += element.weight
    settle(place.chunk, growth: 1)
  }

  mutating func remove(at index: Int) {
    let place = place(of: index)
    let gone = chunks[place.chunk].elements.remove(at: place.offset)
    chunks[place.chunk].weight -= gone.weight
    settle(place.chunk, growth: -1)
  }

  /// Replaces one element by several.
  mutating func replace(at index: Int, with elements: [Element]) {
    let place = place(of: index)
    let old = chunks[place.chunk].elements[place.offset].weight
    chunks[place.chunk].elements.replaceSubrange(place.offset...place.offset, with: elements)
    chunks[place.chunk].weight += elements.reduce(0) { $0 + $1.weight } - old
    settle(place.chunk, growth: elements.count - 1)
  }

  /// Removes an empty chunk or splits a long one after a change, and updates `starts`.
  private mutating func settle(_ chunk: Int, growth: Int) {
    count += growth
    guard growth != 0 else { return }
    let length = chunks[chunk].elements.count
    if length == 0 {
      chunks.remove(at: chunk)
    } else if length > Self.mostInChunk {
      let elements = chunks[chunk].elements
      let parts = [
        Chunk(Array(elements[..<(length / 2)])), Chunk(Array(elements[(length / 2)...])),
      ]
      chunks.replaceSubrange(chunk...chunk, with: parts)
    } else if !starts.isEmpty {
      for later in chunk + 1..<starts.count { starts[later] += growth }
      return
    }
    starts.removeAll(keepingCapacity: true)
    guard chunks.count > 1 else { return }
    var start = 0
    for chunk in chunks {
      starts.append(start)
      start += chunk.elements.count
    }
  }
}

/// An element that represents a number of rows.
protocol Weighted {
  /// The number of rows.
  var weight: Int { get }
}
