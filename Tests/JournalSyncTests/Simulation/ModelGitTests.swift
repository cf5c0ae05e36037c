import Foundation
import TestSupport
import Testing

@testable import JournalSync

/// The model of git gives the answers of git: random operations on both.
struct ModelGitTests {
  /// A device with git and with the model.
  private struct Pair {
    let real: GitRepository
    let model: ModelRepository
  }

  private static let paths = [
    "a", "a/b", "a/c", "a-b", "a.md", "b/c/d", "b/c/e", "conflicts/x", "files/ab-0", "ä/ö", "z",
  ]

  @Test("the model answers as git does", arguments: SeededGenerator.seeds(4))
  func conformance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scratch = try Scratch()
    try scratch.makeRemote()
    let remote = try scratch.remote()
    let model = ModelRemote()
    let pairs = try (0..<2).map {
      Pair(
        real: try scratch.repository("cache\($0)"),
        model: ModelRepository(at: "/", remote: model))
    }
    let nothing = try #require(ObjectID(String(repeating: "1", count: 40)))
    var (commits, blobs) = ([nothing], [nothing])
    for step in 0..<60 {
      let pair = pairs[random.below(2)]
      let (one, two) = (
        commits[random.below(commits.count)], commits[random.below(commits.count)]
      )
      let comment = Comment(rawValue: "seed \(seed), step \(step)")
      func same<Value: Hashable>(
        _ body: (any SyncRepository) throws -> Value,
        sourceLocation: SourceLocation = #_sourceLocation
      ) -> Value? {
        let (left, right) = (
          Self.answer { try body(pair.real) }, Self.answer { try body(pair.model) }
        )
        #expect(left == right, comment, sourceLocation: sourceLocation)
        return try? left.get()
      }
      switch random.below(16) {
      case 0...4:
        let (isEmpty, count) = (random.chance(percent: 10), random.below(4))
        let changes = (0..<count).map { _ in
          let bytes = SyncRig.noise([0, 5, 300][random.below(3)], seed: UInt64(random.below(9)))
          let actions: [FileChange.Action] = [
            .write(bytes), .write(bytes), .link(blobs[random.below(blobs.count)]), .delete,
          ]
          return FileChange(
            path: Self.paths[random.below(Self.paths.count)], actions[random.below(4)])
        }
        let parents = [one, two].filter { (try? pair.real.contains($0)) == true }
          .prefix(random.below(10) == 0 ? 2 : 1)
        let author = CommitAuthor(
          name: "N\(random.below(3))", email: "n@example.org", seconds: random.below(1 << 30),
          offset: 60 * random.below(3))
        let made = same {
          try $0.commit(
            on: parents.count == 2 && parents[0] == parents[1] ? [parents[0]] : Array(parents),
            changes: changes, startsEmpty: isEmpty && !parents.isEmpty, author: author,
            message: ["m\n", "two\n\nlines\n", "none"][step % 3])
        }
        if let made { commits.append(made) }
        for case .write(let bytes) in changes.map(\.action) {
          var objects = ModelObjects()
          blobs.append(objects.addBlob(bytes))
        }
      case 5, 6:
        _ = same { try $0.fetch(remote, silenceLimit: 60, isCancelled: { false }, progress: nil) }
      case 7...9 where pair.model.objects.commit(one) != nil:
        let expected =
          random.chance(percent: 80) ? model.head : random.chance(percent: 50) ? two : nil
        _ = same {
          try $0.push(
            one, to: .standard, of: remote, expecting: expected, silenceLimit: 60,
            isCancelled: { false }, progress: nil)
        }
      case 10 where model.head != nil:
        if random.chance(percent: 50) {
          try scratch.git([
            "-C", "\(scratch.path)/remote.git", "update-ref", "-d", "refs/heads/main",
          ])
          model.head = nil
        } else if let old = commits.filter({ model.objects.commit($0) != nil }).randomElement(
          using: &random)
        {
          try scratch.git([
            "-C", "\(scratch.path)/remote.git", "update-ref", "refs/heads/main", "\(old)",
          ])
          model.head = old
        }
      default: break
      }
      for reference in GitRepository.Reference.allCases { _ = same { try $0.head(of: reference) } }
      _ = same { try $0.contains(one) }
      _ = same { try $0.tree(of: one) }
      _ = same { try $0.parts(of: one) }
      _ = same { try $0.mergeBase(one, two) }
      _ = same { try $0.isAncestor(one, of: two) }
      _ = same { try $0.haveSameFiles(one, two) }
      let (old, limit) = (random.chance(percent: 25) ? nil : one, [0, 5, 300][random.below(3)])
      _ = same { repository in
        var changes: [TreeChange] = []
        try repository.changedPaths(from: old, to: two) { changes.append($0) }
        return changes
      }
      let wanted = Array(blobs.suffix(4)) + [one]
      _ = same { repository in
        var found: [BlobContent] = []
        try repository.blobs(wanted, limit: limit) { found.append($1) }
        return found
      }
      _ = same { try $0.sizes(of: wanted, isCancelled: { false }) }
      _ = same { repository in
        var bytes: [UInt8] = []
        try repository.streamBlobs(Array(blobs.suffix(2)), isCancelled: { false }) {
          bytes += $1.isEmpty ? [UInt8($0)] : Array($1)
        }
        return bytes
      }
      for path in Self.paths.prefix(1 + random.below(Self.paths.count)) + ["b/c", "b"] {
        _ = same { try $0.file(at: path, in: one) }
        _ = same { repository in
          var found: [BlobContent] = []
          try repository.files(
            [GitRepository.FileName(path, in: one)], limit: limit, isCancelled: { false }
          ) { found.append($0) }
          return found
        }
      }
      let isLine = pair.model.objects.ancestors(of: one).allSatisfy {
        (pair.model.objects.commit($0)?.parents.count ?? 0) < 2
      }
      if isLine { _ = same { try $0.authors(of: one, since: old == nil ? nil : two) } }
    }
    // It was no comparison of errors alone.
    #expect(commits.count > 5)
  }

  /// The answer, or the kind of error.
  private static func answer<Value>(_ body: () throws -> Value) -> Result<Value, Refusal> {
    do {
      return .success(try body())
    } catch {
      return .failure(Refusal(kind: (error as? GitError)?.kind))
    }
  }

  private struct Refusal: Error, Hashable {
    var kind: GitError.Kind?
  }
}
