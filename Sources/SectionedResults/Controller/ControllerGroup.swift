// SPDX-License-Identifier: MIT

/// The controllers of one store that follow its commits.
///
/// The commits since the last time are processed for all of them in one read of the store. Then, commit
/// by commit, all controllers show it, and only then their listeners are called: a listener that looks
/// at another controller never sees another commit there.
///
/// A commit costs those controllers that it may concern. The others stay as they are, and count as
/// showing it, since ``stamp`` is shared.
final class ControllerGroup<Row: ResultsRow> {
  typealias Controller = ResultsController<Row>

  /// The commit shown by all members that are not behind.
  private(set) var stamp = StoreStamp(sequence: 0)
  private var members: [Int: WeakReference<Controller>] = [:]
  /// The members that show another commit than ``stamp``: that of their own state.
  private var behind: Set<Int> = []
  private var interests = InterestIndex<Row>()
  private var next = 0
  private var observation: ResultsObservation?
  private var hasMissedCommits = false
  /// Whether callbacks run.
  var isDelivering = false
  /// Controllers with rows to remove as soon as no callback runs.
  private var invalidated: [Controller] = []

  /// Whether a member shows another commit than ``stamp``.
  func isBehind(_ member: Int) -> Bool { behind.contains(member) }
}

private struct WeakReference<Object: AnyObject> {
  weak var object: Object?
}

// MARK: - Members

extension ControllerGroup {
  /// Adds a controller that has results.
  ///
  /// - Returns: its number.
  func join(_ controller: Controller, _ state: ResultsState<Row>) -> Int {
    let member = next
    next += 1
    members[member] = WeakReference(object: controller)
    if observation == nil {
      observation = controller.store.observeCommits { [weak self] in self?.commitsHappened() }
    }
    fetched(member, controller, state)
    return member
  }

  /// Notes the new state and request of a member.
  func fetched(_ member: Int, _ controller: Controller, _ state: ResultsState<Row>) {
    behind.insert(member)
    if members.count == behind.count { stamp = state.stamp }
    if state.stamp == stamp { behind.remove(member) }
    // A cache is saved after each commit.
    let interest = controller.cacheName == nil ? state.tree.request.interest : nil
    interests.set(interest, of: member)
  }

  /// Lets a member show the commit of its own state, when ``stamp`` or that state will change alone.
  func separate(_ controller: Controller) {
    controller.leaveSharedStamp()
    if let member = controller.member { behind.insert(member) }
  }

  func leave(_ member: Int) {
    members[member] = nil
    behind.remove(member)
    interests.remove(member)
    if members.isEmpty { observation = nil }
  }
}

// MARK: - Following

extension ControllerGroup {
  /// Processes new commits; while callbacks run, it waits until they have returned (rule 48).
  func commitsHappened() {
    hasMissedCommits = true
    settle()
  }

  /// Removes a controller's invalid rows; while callbacks run, it waits until they have returned.
  func hasInvalidRows(_ controller: Controller) {
    invalidated.append(controller)
    settle()
  }

  func settle() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while hasMissedCommits || !invalidated.isEmpty {
      if hasMissedCommits { takeInCommits() }
      if !invalidated.isEmpty { invalidated.removeFirst().takeOutInvalidated() }
    }
  }

  /// The changes of one pass: a read of the store.
  private struct Pass {
    /// The members concerned, by number.
    var members: [(number: Int, controller: Controller)] = []
    /// The steps of each commit, in the order of the members.
    var rounds: [StoreStamp: [Delivery<Row>]] = [:]
    var failures: [(controller: Controller, error: any Error)] = []
    /// Whether there are more commits.
    var goesOn = false
  }

  private func takeInCommits() {
    hasMissedCommits = false
    var goesOn = true
    while goesOn {
      do {
        let pass = try nextPass()
        for round in pass.rounds.sorted(by: { $0.key < $1.key }) { deliver(round.value) }
        for (number, controller) in pass.members {
          if members[number] != nil, controller.state?.stamp == stamp { behind.remove(number) }
          controller.saveCache()
        }
        for (controller, error) in pass.failures { controller.recover(from: error) }
        // The store announces a commit made meanwhile; checking for one would cost a read.
        goesOn = pass.goesOn
      } catch {
        goesOn = false
        for (_, controller) in following() { controller.recover(from: error) }
      }
    }
  }

  /// The members with listeners, by number.
  private func following(_ numbers: some Sequence<Int>) -> [(number: Int, controller: Controller)] {
    numbers.sorted().compactMap { number in
      guard let controller = members[number]?.object else { return nil }
      guard controller.trackingMode != .none else {
        // Its delegate was released.
        controller.updateTracking()
        return nil
      }
      return (number, controller)
    }
  }

  private func following() -> [(number: Int, controller: Controller)] { following(members.keys) }
}

// MARK: - One pass

extension ControllerGroup {
  /// Processes the next commits for the members that they concern.
  private func nextPass() throws -> Pass {
    // A commit costs those members that it concerns: not all of them are visited.
    guard let store = members.values.lazy.compactMap({ $0.object?.store }).first else {
      return Pass()
    }
    return try store.read { snapshot in
      let now = try snapshot.stamp()
      var pass = Pass()
      pass.members = try concerned(snapshot, now)
      var readers: [(controller: Controller, reader: ResultsReader<Row>)] = []
      for (_, controller) in pass.members {
        separate(controller)
        do {
          if let reader = try controller.reader(of: snapshot, at: now) {
            readers.append((controller, reader))
          }
        } catch {
          pass.failures.append((controller, error))
        }
      }
      // Members that are behind catch up; the others go on from the shared stamp.
      var end = now
      for (_, reader) in readers {
        var left = ResultsStep<Row>.mostPerPass
        for commit in reader.commits where commit.stamp > stamp && left > 0 {
          left -= 1
          if left == 0 { end = min(end, commit.stamp) }
        }
      }
      pass.goesOn = end != now
      stamp = end
      for (controller, reader) in readers {
        do {
          let steps = try controller.steps(with: reader, upTo: end)
          for step in steps {
            pass.rounds[step.state.stamp, default: []].append(Delivery(controller, step))
          }
          if let last = steps.last, last.state.stamp < end { pass.goesOn = true }
        } catch {
          pass.failures.append((controller, error))
        }
      }
      return pass
    }
  }

  /// The members that the commits since ``stamp`` may concern, and those that are behind.
  private func concerned(
    _ snapshot: any ResultsSnapshot<Row>, _ now: StoreStamp
  ) throws -> [(number: Int, controller: Controller)] {
    guard now != stamp else { return following(behind) }
    guard interests.isWorthwhile else { return following() }
    do {
      let commits = try snapshot.commits(
        after: stamp, for: ResultsRequest(filter: nil, sortKeys: []))
      let rows = commits.lazy.flatMap { $0.changes }.flatMap {
        [$0.before, $0.after].compactMap { $0 }
      }
      return following(interests.members(concernedBy: rows).union(behind))
    } catch ResultsError.historyLost {
      return following()
    }
  }
}
