module domain-monitoring-example

go 1.25

require (
	github.com/REPLACE_WITH_OWNER/pulumi-domain-monitoring/sdk/go v0.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.248.0
)

replace github.com/REPLACE_WITH_OWNER/pulumi-domain-monitoring/sdk/go => ./sdks/domain-monitoring
