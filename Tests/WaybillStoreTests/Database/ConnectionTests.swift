import Testing
import WaybillStore
