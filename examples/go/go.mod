module domain-monitoring-example

go 1.25

require (
	github.com/pulumi/pulumi/sdk/v3 v3.248.0
	pulumi-domain-monitoring/sdk/go v0.0.0
)

replace pulumi-domain-monitoring/sdk/go => ./sdks/domain-monitoring
