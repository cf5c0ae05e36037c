import Journal

extension DateNames {
  /// The month and weekday names of the user's `LC_TIME`, read once.
  static let ofUser = DateNames.system()
}
