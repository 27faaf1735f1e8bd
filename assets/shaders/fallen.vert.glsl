// The part of the ground on which the light's picture has bodies; or (BAKE) that part of the picture itself.
layout(location = 0) in vec2 corner;
uniform mat4 camera;
uniform mat4 from_light;    // the light's picture -> ground
uniform vec2 used;          // of the light's picture, from its corner
out vec2 in_light;

void main() {
    in_light = (0.5 * corner + 0.5) * used;
#ifdef BAKE
    gl_Position = vec4(2.0 * in_light - 1.0, 0.0, 1.0);
#else
    vec4 at = from_light * vec4(in_light, 0.0, 1.0);
    gl_Position = camera * vec4(at.xy, 0.0, 1.0);
#endif
}
