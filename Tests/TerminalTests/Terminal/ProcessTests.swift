import Testing

/// Tests of what there is once in a process: readline, ncurses, signals.
///
/// One at a time.
@Suite("In one process", .serialized)
struct ProcessTests {}
