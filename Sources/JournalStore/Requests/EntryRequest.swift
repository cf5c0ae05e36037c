import Journal
import SectionedResults

/// A request for a list of entries.
public typealias EntryRequest = FetchRequest<EntryRow>
