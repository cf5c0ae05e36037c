import Journal

extension DateNames {
  /// The month and weekday names of the user's `LC_TIME`, read once.
  static let ofUser = DateNames.system()
}

extension DateStyle {
  /// How this user wants dates and times written.
  static let ofUser = Configuration.ofUser.settings.dateStyle(names: .ofUser)
}
